// Made by `npm run api` from cl100k.d.ts of the package.

interface ExactTokenizer extends Tokenizer {
    readonly name: string;
    count(text: string): number;
}
interface Tokenizer {
    count(text: string): number;
}
declare function cl100k(): ExactTokenizer;
export { cl100k };
export type { ExactTokenizer };

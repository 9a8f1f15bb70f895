// Made by `npm run api` from o200k.d.ts of the package.

interface ExactTokenizer extends Tokenizer {
    readonly name: string;
    count(text: string): number;
}
interface Tokenizer {
    count(text: string): number;
}
declare function o200k(): ExactTokenizer;
export { o200k };
export type { ExactTokenizer };

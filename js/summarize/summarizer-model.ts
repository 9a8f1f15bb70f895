// A model that summarizes, as far as it is used.

/** A language model as the providers' packages make it, as far as it is used here. */
export interface SummarizerModel {
  readonly specificationVersion: string;
  readonly modelId: string;
  readonly provider: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

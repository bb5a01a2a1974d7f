/** Loads what a question lacks. `turn`: the number of the question, which newer ones have higher. */
type Load = (turn: number) => Promise<void>;

/** A question lacks something that can be loaded; afterwards it is repeated. */
export class Missing extends Error {
  readonly load: Load;

  constructor(message: string, load: Load) {
    super(message);
    this.load = load;
  }
}

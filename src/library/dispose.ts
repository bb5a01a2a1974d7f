/**
 * The symbols of `using` and `await using`. Engines without them get symbols under the names that compilers of such
 * declarations use, so that a class has no method called "undefined".
 */

declare global {
  // As in TypeScript's own library, which older compilers and targets lack.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as never);
export const DISPOSE_ASYNC: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as never);

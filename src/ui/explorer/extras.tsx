/** What the explorer shows when asked for, or once something is chosen: a file of its own. */
export { HelpWords } from "./HelpWords.tsx";
export { Scope } from "./Scope.tsx";

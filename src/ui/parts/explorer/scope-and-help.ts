/** The explorer's scope choice and help: one script, loaded when a span is chosen or the help is opened. */
export { HelpWords, Scope } from "./Scope.tsx";

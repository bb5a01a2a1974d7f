/** Findings about files of symbols, on standard error. */
import type { SymbolDiagnostic } from "../../symbols/diagnostics.ts";
import { inputName, say } from "../terminal.ts";

export function sayFindings(diagnostics: readonly SymbolDiagnostic[]): void {
  for (const { severity, file, message } of diagnostics) say(`spanflame: ${severity}: ${inputName(file)}: ${message}`);
}

/** `spanflame validate`: checks whether receivers would accept a file as OTLP profiles. */
import { formatCount } from "../model/words/format.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { openInput } from "../node/node-source.ts";
import { systemWords } from "../node/system-error.ts";
import { inputName, print, printJson, progress } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { notOneOf } from "../node/usage/suggest.ts";
import { RECEIVER_NAMES, type ReceiverName } from "../validate/receiver-names.ts";
import { validate as validateSource } from "../validate/validate.ts";

function receiverOf(text: string): ReceiverName {
  const receiver = RECEIVER_NAMES.find((name) => name === text);
  if (receiver === undefined) throw new UsageError(notOneOf("--for", text, RECEIVER_NAMES));
  return receiver;
}

export async function validate({ inputs: [path = ""], values }: CallOf<"validate">): Promise<ExitCode> {
  const receivers = (values.for ?? []).map(receiverOf);
  const unreadable = (error: unknown) => {
    throw new Error(`${path}: ${systemWords(error)}`);
  };
  const { source, close } = await openInput(path).catch(unreadable);
  try {
    const checking = validateSource(source, { for: receivers }).catch(unreadable);
    const { valid, findings } = await progress.during(() => `checking ${inputName(path)}`, checking);
    const isValid = valid && !(values.strict === true && findings.some(({ severity }) => severity === "warning"));
    if (values.json) printJson({ valid: isValid, findings });
    else {
      for (const { rule, severity, message, where, count } of findings) {
        const place = where === "" ? "" : `${where}: `;
        print(`${severity} ${rule}: ${place}${message}${count > 1 ? ` (${formatCount(count)} times)` : ""}`);
      }
      print(isValid ? "valid" : "not valid");
    }
    return isValid ? ExitCode.Done : ExitCode.Failed;
  } finally {
    await close();
  }
}

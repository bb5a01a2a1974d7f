import { methodParts } from "../../../model/calls/method.ts";
import { visible } from "../../../model/words/text.ts";
import css from "./FrameDetailsDialog.module.css";

/** Characters of a text of the dictionary. */
const ROOM = 2000;

/** The methods behind a function name: overloads, and the same in several runs. */
export function MethodFacts({ methods }: { methods: readonly string[] }) {
  if (methods.length === 0) return null;
  return (
    <ul className={css.methods} data-testid="frame-details-methods" aria-label="Methods">
      {methods.map((text) => (
        <li key={text}>
          <Method text={text} />
        </li>
      ))}
    </ul>
  );
}

function Method({ text }: { text: string }) {
  const { args, returnType, file, line, jar } = methodParts(text);
  if (args === null) return <bdi className={css.code}>{visible(text, ROOM)}</bdi>;
  const place = file !== "" && line > 0 ? `${file}:${line}` : file;
  const facts = [
    ["arguments", args.length === 0 ? "none" : args.join(", ")],
    ["returns", returnType],
    ["source", place],
    ["archive", jar],
  ].filter(([, value]) => value !== "");
  return (
    <dl className={css.facts}>
      {facts.map(([label = "", value = ""]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi className={css.code}>{visible(value, ROOM)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

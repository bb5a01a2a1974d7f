/** skills/spanflame/SKILL.md and llms.txt, made from the guide's table and the index of the documents. */
import { GUIDE, GUIDE_NOTES, STEPS, STEPS_NOTES } from "../../src/node/usage/guide.ts";

const PRINTED = "Printed from src/node/usage/guide.ts by `npm run docs`.";
const SITE = "https://github.com/spanflame/spanflame/blob/main/";

const questions = () =>
  GUIDE.flatMap(({ title, questions: rows }) => [
    `### ${title}`,
    "",
    "| question | call |",
    "|---|---|",
    ...rows.map(({ about, args }) => `| ${about} | \`spanflame ${args}\` |`),
    "",
  ]);

export function skillText(): string {
  return [
    "---",
    "name: spanflame",
    "description: Finds why a request or a program was slow from a profile (JFR, OTLP, pprof, perf, V8) with the spanflame command line. Use when a recording, a flame graph or a slow trace is to be explained.",
    "---",
    "",
    `<!-- ${PRINTED} -->`,
    "",
    "# From a recording to a cause",
    "",
    "Make these calls in this order, at most five:",
    "",
    ...STEPS.flatMap(({ about, args }, i) => [
      `${i + 1}. ${about}:`,
      "",
      "   ```sh",
      `   spanflame ${args}`,
      "   ```",
      "",
    ]),
    ...STEPS_NOTES.map((note) => `- ${note}`),
    "",
    "## More questions",
    "",
    ...questions(),
    ...GUIDE_NOTES.map((note) => `- ${note}`),
    "",
  ].join("\n");
}

/** `index` is docs/README.md. */
export function llmsText(index: string): string {
  const links = [...index.matchAll(/^## (.*)$|\[([^\]]*)\]\(([^)#]+\.md)\)/gm)].flatMap(
    ([, title, name, path = ""]) => {
      if (title !== undefined) return ["", `## ${title}`, ""];
      return [`- [${name}](${SITE}${path.startsWith("../") ? path.slice(3) : `docs/${path}`})`];
    },
  );
  return [
    "# Spanflame",
    "",
    "> Shows where one slow request spent its time, from JFR, OTLP and pprof profiles: in the browser, as a command line and as a library.",
    "",
    "An assistant begins with `npx spanflame guide` and the steps of skills/spanflame/SKILL.md:",
    "",
    ...STEPS.map(({ about, args }) => `- ${about}: \`spanflame ${args}\``),
    ...links,
    "",
  ].join("\n");
}

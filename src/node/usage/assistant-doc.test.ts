/** The skill and llms.txt are as the guide's table makes them: `npm run docs` writes them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { llmsText, skillText } from "../../../test/kit/assistant-texts.ts";

const ROOT = new URL("../../../", import.meta.url);

it("skills/spanflame/SKILL.md is printed from the guide", async () => {
  await expect(skillText()).toMatchFileSnapshot("../../../skills/spanflame/SKILL.md");
});

it("llms.txt is printed from the guide and the index of the documents", async () => {
  const text = llmsText(readFileSync(new URL("docs/README.md", ROOT), "utf8"));
  await expect(text).toMatchFileSnapshot("../../../llms.txt");
});

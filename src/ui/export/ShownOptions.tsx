import type { ExportChoice } from "../../model/words/export-choice.ts";
import { ChoiceList } from "./ChoiceList.tsx";
import css from "./ExportDialog.module.css";

interface Props {
  choice: ExportChoice;
  onChange: (changes: Partial<ExportChoice>) => void;
}

/** What can be chosen of a report or a picture. */
export function ShownOptions({ choice, onChange }: Props) {
  if (choice.format === "html") {
    return (
      <p className={css.hint}>
        The report holds names of functions and of the recording, the filters, and what the recording says of its
        process: whoever gets the file can read them. It follows the reader's light or dark colours.
      </p>
    );
  }
  return (
    <ChoiceList
      legend="Colours"
      name="colours"
      value={choice.dark ? "dark" : "light"}
      onChange={(colours) => onChange({ dark: colours === "dark" })}
      rows={[
        { value: "light", name: "light", about: "on white, for paper and documents" },
        { value: "dark", name: "dark", about: "as the page at night" },
      ]}
    >
      <p className={css.hint}>The graph as it is grouped and zoomed on the page, with the frames looked for marked.</p>
    </ChoiceList>
  );
}

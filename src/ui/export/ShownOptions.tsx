import type { ExportChoice } from "../../model/words/export-choice.ts";
import { ChoiceList } from "./ChoiceList.tsx";
import css from "./ExportDialog.module.css";

interface Props {
  choice: ExportChoice;
  onChange: (changes: Partial<ExportChoice>) => void;
}

/** Options of a report or a picture. */
export function ShownOptions({ choice, onChange }: Props) {
  if (choice.format === "html") {
    return (
      <p className={css.hint}>
        The report contains function names, the recording's name, the filters and facts about the process: think before
        you share it. Its colours follow the reader's light or dark setting.
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
        { value: "light", name: "light", about: "on white, for print and documents" },
        { value: "dark", name: "dark", about: "on a dark background, for screens" },
      ]}
    >
      <p className={css.hint}>The graph as grouped and zoomed on the page, with search matches marked.</p>
    </ChoiceList>
  );
}

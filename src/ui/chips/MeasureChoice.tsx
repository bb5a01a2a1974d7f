import { type Measured, measureWord } from "../../model/recording/measure.ts";
import { visible } from "../../model/words/text.ts";
import { Choice } from "../choice/Choice.tsx";

interface Props {
  profile: Measured;
  onMeasure: (name: string) => void;
}

/** Bytes or objects, time or contentions: what every figure and every width on the page is of. */
export function MeasureChoice({ profile, onMeasure }: Props) {
  if (profile.measures.length < 2) return null;
  const options = profile.measures.map(({ name }, index) => {
    const word = measureWord(profile, index);
    return { value: name, label: visible(word, 24), title: `Weigh samples by ${visible(word, 40)}` };
  });
  const value = profile.measures[profile.measure]?.name ?? "";
  return <Choice legend="Weigh samples by" options={options} value={value} onChange={onMeasure} testId="measure" />;
}

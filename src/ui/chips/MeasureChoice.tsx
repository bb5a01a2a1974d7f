import { useId } from "react";
import { type Measured, measureWord } from "../../model/measure.ts";
import { visible } from "../../model/text.ts";
import css from "./MeasureChoice.module.css";

interface Props {
  profile: Measured;
  onMeasure: (name: string) => void;
}

/** Bytes or objects, time or contentions: what every figure and every width on the page is of. */
export function MeasureChoice({ profile, onMeasure }: Props) {
  const group = useId();
  if (profile.measures.length < 2) return null;
  return (
    <fieldset className={css.choice} data-testid="measure">
      <legend className="visually-hidden">Weigh samples by</legend>
      {profile.measures.map(({ name }, index) => (
        <label key={name} className={css.option} title={`Weigh samples by ${visible(measureWord(profile, index), 40)}`}>
          <input
            type="radio"
            className="visually-hidden"
            name={group}
            checked={index === profile.measure}
            onChange={() => onMeasure(name)}
          />
          {visible(measureWord(profile, index), 24)}
        </label>
      ))}
    </fieldset>
  );
}

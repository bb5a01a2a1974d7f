import type { RefObject } from "react";
import { innerWidth, TonePaths } from "../../../model/flame/tone-paths.ts";
import { labelFont } from "../../parts/drawing/label-font.ts";
import { usePrinting } from "../../primitives/theme/use-theme.ts";
import { BoxColours } from "./box-colours.ts";
import { BASELINE_PX, boxLabel, LABEL_PX, MARGIN_PX } from "./box-label.ts";
import css from "./FlameGraph.module.css";
import { CELL_PX } from "./graph-props.ts";
import type { FlameScene } from "./renderer.ts";

interface Props {
  scene: FlameScene;
  up: boolean;
  /** Has the font of the labels. */
  host: RefObject<Element | null>;
}

/** The graph on paper: all its levels, sharp, light, and as wide as the paper. It is not shown on screen. */
export function PaperGraph(props: Props) {
  return usePrinting() && <Paper {...props} />;
}

function Paper({ scene, up, host }: Props) {
  const { layout, width } = scene;
  const { levels, level, left, width: shares, order, rows } = layout;
  const colours = new BoxColours({ ...scene, dark: false });
  const paths = new TonePaths<string>();
  const font = labelFont(host.current ?? document.body);
  const labels: { box: number; x: number; y: number; text: string }[] = [];
  for (const box of order) {
    const x = left[box] * width;
    const wide = shares[box] * width;
    const y = (up ? levels - 1 - level[box] : level[box]) * CELL_PX;
    paths.add(colours.css(box), x, y, innerWidth(wide), CELL_PX - 1);
    const text = wide < LABEL_PX ? "" : boxLabel(layout, box, wide, font);
    if (text !== "") labels.push({ box, x: x + MARGIN_PX, y: y + BASELINE_PX, text });
  }
  return (
    <svg className={css.paper} viewBox={`0 0 ${width} ${levels * CELL_PX}`} aria-hidden="true" data-testid="paper">
      {paths.paths().map(([colour, data]) => (
        <path key={colour} fill={colour} d={data} />
      ))}
      {labels.map(({ box, x, y, text }) => (
        <text key={box} x={x} y={y} fontStyle={box >= rows ? "italic" : undefined}>
          {text}
        </text>
      ))}
    </svg>
  );
}

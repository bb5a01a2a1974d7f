import css from "./Miniature.module.css";

/** Frames of the picture by level: left, width, whose code, and the label. Units of a graph 100 wide. */
const FRAMES: [left: number, width: number, of: string, label: string][][] = [
  [[0, 100, "other", "POST /checkout"]],
  [[0, 100, "jdk", "Thread.run"]],
  [
    [0, 84, "library", "Servlet.service"],
    [84, 16, "native", "C2"],
  ],
  [
    [0, 84, "own", "CheckoutServlet.answer"],
    [84, 10, "native", ""],
  ],
  [
    [0, 58, "own", "PriceCalculator.total"],
    [58, 26, "own", "Orders.save"],
    [84, 7, "native", ""],
  ],
  [
    [0, 52, "own", "CouponMatcher.matching"],
    [58, 22, "library", "Jdbc.execute"],
  ],
  [
    [0, 34, "jdk", "Pattern.compile"],
    [34, 17, "jdk", "Matcher.find"],
    [58, 15, "library", "Socket.read"],
  ],
  [
    [0, 21, "jdk", "Pattern.expr"],
    [21, 9, "jdk", ""],
    [34, 11, "jdk", ""],
    [58, 9, "native", ""],
  ],
  [
    [0, 12, "jdk", ""],
    [12, 6, "jdk", ""],
    [34, 6, "jdk", ""],
  ],
];

/** Samples over time; the first and the last belong to other requests. */
const COLUMNS = [3, 5, 4, 7, 6, 10, 13, 12, 15, 11, 14, 16, 13, 12, 9, 14, 15, 10, 12, 8, 6, 4, 7, 5, 3, 4, 6, 3];
const SELECTED = [5, 19] as const;

const WIDTH = 560;
const ROW = 24;
const GRAPH_TOP = 142;
const EDGE = 16;
const INNER = WIDTH - 2 * EDGE;
const HEIGHT = GRAPH_TOP + FRAMES.length * ROW + EDGE;
/** Pixels of a letter, about. */
const LETTER = 6.8;

/** A picture of the page with one slow trace: decoration, so without a name. */
export function Miniature() {
  return (
    <svg className={css.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect className={css.card} x="0.5" y="0.5" width={WIDTH - 1} height={HEIGHT - 1} rx="10" />
      <text className={css.title} x={EDGE} y="34">
        POST /checkout
      </text>
      <text className={css.quiet} x={EDGE} y="54">
        2.8 s · 3 spans · endpoint p50 25 ms
      </text>
      <Bars />
      <Strip />
      {FRAMES.map((row, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the picture never changes
        <g key={level} className={css.row} data-level={level}>
          {row.map(([left, width, of, label]) => (
            <Frame key={left} x={EDGE + (left / 100) * INNER} y={GRAPH_TOP + level * ROW} {...{ width, of, label }} />
          ))}
        </g>
      ))}
    </svg>
  );
}

interface FrameProps {
  x: number;
  y: number;
  width: number;
  of: string;
  label: string;
}

function Frame({ x, y, width, of, label }: FrameProps) {
  const pixels = (width / 100) * INNER - 1;
  return (
    <>
      <rect className={css.frame} data-of={of} x={x} y={y} width={pixels} height={ROW - 1} rx="2" />
      {label.length * LETTER < pixels && (
        <text className={css.label} x={x + 6} y={y + 16}>
          {label}
        </text>
      )}
    </>
  );
}

const PROFILES = [
  ["CPU", 18],
  ["Wall", 40],
  ["Allocation", 30],
] as const;

/** The trace in each profile. */
function Bars() {
  return PROFILES.map(([name, length], index) => (
    <g key={name} transform={`translate(${WIDTH - EDGE - (PROFILES.length - index) * 80}, 0)`}>
      <text className={css.quiet} x="16" y="34">
        {name}
      </text>
      <rect className={css.track} x="16" y="44" width="64" height="5" rx="2.5" />
      <rect className={css.bar} x="16" y="44" width={length * 1.6} height="5" rx="2.5" />
    </g>
  ));
}

/** The trace on the timeline. */
function Strip() {
  const step = INNER / COLUMNS.length;
  const isSelected = (index: number) => index >= SELECTED[0] && index <= SELECTED[1];
  return (
    <g>
      {COLUMNS.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the picture never changes
          key={index}
          className={isSelected(index) ? css.selected : css.column}
          x={EDGE + index * step}
          y={122 - height * 2.6}
          width={step - 2}
          height={height * 2.6}
          rx="1"
        />
      ))}
      <path className={css.axis} d={`M${EDGE} 123.5h${INNER}`} />
    </g>
  );
}

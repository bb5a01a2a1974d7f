/**
 * CSS variables that pages set on an embedded flame graph. A row has the design token of a variable
 * (src/ui/primitives/theme/tokens.css); the token's value is the default. docs/embedding.md has the table.
 */
export interface CssVariable {
  name: `--span-flame-${string}`;
  token: string;
  about: string;
}

export const CSS_VARIABLES: readonly CssVariable[] = [
  { name: "--span-flame-background", token: "--surface-app", about: "behind the graph" },
  {
    name: "--span-flame-panel",
    token: "--surface-panel",
    about: "behind the line of the current frame and the totals",
  },
  { name: "--span-flame-overlay", token: "--surface-overlay", about: "behind menus" },
  { name: "--span-flame-raised", token: "--surface-raised", about: "behind buttons, fields and tooltips" },
  { name: "--span-flame-text", token: "--text", about: "text" },
  { name: "--span-flame-muted", token: "--muted", about: "secondary text" },
  { name: "--span-flame-label", token: "--label", about: "text in frames" },
  { name: "--span-flame-line", token: "--line", about: "lines between parts" },
  { name: "--span-flame-accent", token: "--accent", about: "focus, links, the selected choice" },
  { name: "--span-flame-danger", token: "--danger", about: "frame of error messages" },
  { name: "--span-flame-font", token: "--font", about: "font family" },
  { name: "--span-flame-font-size", token: "--t-m", about: "size of text outside of frames" },
  { name: "--span-flame-mono", token: "--mono", about: "font family of ids and patterns" },
];

/** Added by scripts/shadow-styles.ts: the styles of all modules of a build, for a shadow root. */
declare module "virtual:viewer-styles" {
  const text: string;
  export default text;
}

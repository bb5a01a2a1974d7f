/** Made by scripts/report-page.mjs from src/report/page/. */
declare module "virtual:report-page" {
  export const SCRIPT: string;
  export const STYLE: string;
  /** As a Content-Security-Policy names them. */
  export const SCRIPT_HASH: string;
  export const STYLE_HASH: string;
}

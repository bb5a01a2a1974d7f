/** Output formats that tests read again. */
import { INPUT_FORMATS } from "../../src/core/inputs/formats.ts";
import { FORMATS } from "../../src/core/tables/formats.ts";

const readAgain = FORMATS.filter(({ name }) => Object.hasOwn(INPUT_FORMATS, name));

/** Output formats that are input formats as well. */
export const READ_AGAIN = readAgain.map(({ name }) => name);
/** Those with all profiles of a recording. */
export const WITH_ALL = readAgain.filter(({ single }) => single !== true).map(({ name }) => name);
/** Those of them with all samples as they are; others have stacks as the page shows them. */
export const MESSAGES = readAgain
  .filter(({ single, options }) => single !== true && !options.includes("root-by"))
  .map(({ name }) => name);

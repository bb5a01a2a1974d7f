/** Opens files beside those on the page: given to the views by the page around them. */
import { createContext } from "react";
import type { InputFile } from "../../../worker/api.ts";

export const AddFiles = createContext<((files: InputFile[]) => void) | null>(null);

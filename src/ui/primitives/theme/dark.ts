/** Whether drawings have the colours of the dark theme, as the page or the element around them has. */
import { createContext, useContext } from "react";

export const Dark = createContext(false);

export const useDark = () => useContext(Dark);

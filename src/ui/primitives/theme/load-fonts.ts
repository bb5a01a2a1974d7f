/** Declares the page's fonts. The browser fetches each when a text first needs it, and draws such texts again then. */
import "./fonts.css";

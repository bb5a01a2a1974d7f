/** Which half of a span of two services this is, if they share its id (Zipkin). */
export const Unknown = 0;
export const Client = 1;
/** The server's, if there is a client's as well. */
export const Server = 2;
/** The server's in any case. */
export const Shared = 3;

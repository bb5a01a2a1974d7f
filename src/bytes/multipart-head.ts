/** Detection of a multipart body; it is apart because every file is sniffed, and few are such bodies. */
/** Whether the first bytes of a file are a boundary and the beginning of a header. */
export function isMultipart(head: Uint8Array): boolean {
  const [, header] = /^--[\w'()+,./:=? -]{1,70}\r\n([\w-]+)/.exec(new TextDecoder("latin1").decode(head)) ?? [];
  return header !== undefined && "content-disposition".startsWith(header.toLowerCase());
}

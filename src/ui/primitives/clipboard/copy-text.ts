/** Puts a text on the clipboard; false where the browser does not let the page. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // It is missing on plain http addresses, and not permitted in some frames.
    return copyBySelection(text);
  }
}

/** The old way, which every browser still has: from a field that is selected for a moment. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("aria-hidden", "true");
  // No class: it may be added to a page that has none of these styles.
  Object.assign(field.style, { position: "fixed", opacity: "0" });
  // Inside an open dialog, because text outside of it cannot be selected.
  (focused?.closest("dialog, [popover]") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

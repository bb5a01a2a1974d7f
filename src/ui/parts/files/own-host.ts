/** Files of the page's own host. */

export async function fetchBlob(path: string, signal: AbortSignal): Promise<Blob> {
  return (await fetchOk(path, signal)).blob();
}

export async function fetchOk(path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path} could not be fetched: ${response.status} ${response.statusText}`);
  return response;
}

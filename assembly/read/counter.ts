/** Number of samples of the open message that its reader has read, as the message counts them. */
export let samplesRead: u32 = 0;

export function beginCount(): void {
  samplesRead = 0;
}

export function countSample(): void {
  samplesRead++;
}

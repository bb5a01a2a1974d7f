/** How many samples the reader at work has read of the open message, as the message has them. */
export let samplesRead: u32 = 0;

export function beginCount(): void {
  samplesRead = 0;
}

export function countSample(): void {
  samplesRead++;
}

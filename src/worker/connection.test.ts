/** A worker that cannot be started: browsers throw where a policy forbids it. */
import { expect, it, vi } from "vitest";
import { Connection } from "./connection.ts";

it("a worker that cannot be started answers every question with the reason", async () => {
  const onDeath = vi.fn();
  const connection = new Connection<{ ping(): void }>(
    () => {
      throw new DOMException("workers are not allowed", "SecurityError");
    },
    "The worker",
    onDeath,
  );
  expect(onDeath).not.toHaveBeenCalled();
  const error = { code: "worker.failed", message: "The worker stopped: workers are not allowed.", lost: true };
  for (let i = 0; i < 2; i++) {
    const ask = connection.ask(async (remote) => ({ ok: true, value: await remote.ping() }));
    expect(await ask).toEqual({ ok: false, error });
  }
  await connection.loaded;
  expect(onDeath).toHaveBeenCalledTimes(1);
});

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

it("a reading is no question that takes long, nor is an export that waits for it", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const worker = Object.assign(new EventTarget(), { postMessage: () => {}, terminate: () => {} });
  const connection = new Connection<object>(() => worker as unknown as Worker, "The worker");
  let end = () => {};
  const isRead = new Promise<{ ok: true; value: null }>((resolve) => {
    end = () => resolve({ ok: true, value: null });
  });
  const never = () => new Promise<never>(() => {});
  const reading = connection.ask(() => isRead, "reading");
  void connection.ask(never, "export");
  now.mockReturnValue(1000);
  expect(connection.waitingMs()).toBe(0);
  end();
  await reading;
  now.mockReturnValue(1500);
  expect(connection.waitingMs()).toBe(500);
  void connection.ask(never);
  now.mockReturnValue(1700);
  expect(connection.waitingMs()).toBe(700);
  now.mockRestore();
});

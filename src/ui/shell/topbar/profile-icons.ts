/** The icon of each profile, by its type without the event that tells two of one type apart. */
import {
  Activity,
  CirclePause,
  Clock,
  Cpu,
  Database,
  HardDrive,
  Hourglass,
  Layers,
  Lock,
  type LucideIcon,
  MemoryStick,
  Network,
  Pin,
  Timer,
  TriangleAlert,
} from "lucide-react";

const ICONS: ReadonlyMap<string, LucideIcon> = new Map(
  Object.entries({
    cpu: Cpu,
    "cpu-time": Cpu,
    native: Cpu,
    wall: Clock,
    "alloc-samples": MemoryStick,
    "direct-alloc": MemoryStick,
    malloc: MemoryStick,
    "live-heap": Database,
    "lock-contention": Lock,
    "native-lock": Lock,
    "monitor-inflate": Lock,
    park: CirclePause,
    sleep: CirclePause,
    pinned: Pin,
    "queue-time": Hourglass,
    backpressure: Layers,
    "method-time": Timer,
    exceptions: TriangleAlert,
    errors: TriangleAlert,
    "file-read": HardDrive,
    "file-write": HardDrive,
    "socket-read": Network,
    "socket-write": Network,
  }),
);

export function profileIcon(type: string): LucideIcon {
  return ICONS.get(type.split(":", 1)[0] ?? "") ?? Activity;
}

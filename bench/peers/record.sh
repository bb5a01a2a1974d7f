#!/usr/bin/env bash
# record.sh FOLDER NAME...: records corpora for the comparison into FOLDER/NAME.jfr; what is there already is kept.
# Says of each how large it is, how much of it constant pools are, and fails if the recorder lost events.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: record.sh FOLDER NAME..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../fixtures/jdk.sh"
find_jdk
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk -v package=load -v walk=Load.Walk -v arrive='w.arrive()' -f "$here/../../fixtures/bench/rooms.awk"
"$JDK/bin/javac" -encoding UTF-8 -g -nowarn -d classes "$here/Load.java" Room*.java

# Many types of events, as a recording for diagnosis has them.
everything=settings=profile
for event in JavaMonitorEnter JavaMonitorWait ThreadPark; do everything+=",jdk.$event#threshold=0ms"; done
for event in JavaExceptionThrow ObjectAllocationInNewTLAB ObjectAllocationOutsideTLAB; do
  everything+=",jdk.$event#enabled=true,jdk.$event#stackTrace=true"
done
everything+=,jdk.ExecutionSample#period=1ms
allocations=settings=profile,jdk.ObjectAllocationInNewTLAB#enabled=true,jdk.ObjectAllocationOutsideTLAB#enabled=true
# The agent's recordings have its own samples instead of the JDK's.
samples=settings=default,jdk.ExecutionSample#enabled=false,jdk.NativeMethodSample#enabled=false
# Buffers so small that most allocations need a new one or go past them: an event each.
tiny_tlabs='-XX:+UseParallelGC -XX:TLABSize=4k -XX:MinTLABSize=2k -XX:-ResizeTLAB'

# record NAME CHUNK JVM-OPTIONS SETTINGS LOAD-ARGUMENTS...
record() {
  local name=$1 chunk=$2 options=$3 settings=$4
  shift 4
  # With the usual memory of 10 MB a busy machine loses events.
  clean_java -Xmx2g $options -XX:FlightRecorderOptions="memorysize=200m,stackdepth=64,maxchunksize=$chunk" \
    -XX:StartFlightRecording="filename=$name.jfr,maxsize=4g,$settings" -cp classes load.Load "$@" > log 2>&1 ||
    { cat log >&2; exit 1; }
  "$JDK/bin/jfr" summary "$name.jfr" | awk -v name="$name" -v bytes="$(wc -c < "$name.jfr")" '
    $1 == "Chunks:" { chunks = $2 }
    $1 == "jdk.CheckPoint" || $1 == "jdk.Checkpoint" { pools = $3; next }
    $1 == "jdk.DataLoss" { lost = $2 }
    $1 ~ /^datadog[.].*(Sample|LiveObject)$|^jdk[.]ObjectAllocation/ { samples += $2 }
    NF == 3 && $2 + 0 > 0 { events += $2 }
    END {
      printf "%s: %.1f MB, %d chunks, %d %% constant pools, %d events, %d samples%s\n", name, bytes / 1e6,
        chunks, 100 * pools / bytes, events, samples, lost ? "; the recorder lost some" : ""
      exit lost > 0
    }'
  mv "$name.jfr" "$folder"
}

for name in "$@"; do
  [ -e "$folder/$name.jfr" ] && continue
  case $name in
    small) record small 100m '' "$everything" mixed 6000 500 20 ;;
    medium) record medium 12m '' "$everything" mixed 133000 5000 70 ;;
    large) record large 12m '' "$everything" mixed 800000 5000 50 ;;
    single) record single 1g '' "$everything" mixed 575000 5000 70 ;;
    alloc) record alloc 12m "$tiny_tlabs" "$allocations" allocations 1160000 5000 5 ;;
    ddprof) record ddprof 12m '' "$samples" samples 1080000 5000 1 ;;
    *) echo "no corpus is called $name" >&2; exit 2 ;;
  esac
done

/** Counts requests by kind and status of the answer, for the report at the end of a run. */

export interface StatusCounts {
  count(kind: string, status: number): void
  total(): number
  /** @returns a line for each kind */
  report(): string
}

export function createStatusCounts(): StatusCounts {
  const counts = new Map<string, Map<number, number>>()
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)
  return {
    count(kind, status) {
      const byStatus = counts.get(kind) ?? new Map<number, number>()
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      counts.set(kind, byStatus)
    },
    total: () => sum([...counts.values()].map((byStatus) => sum(byStatus.values()))),
    report: () =>
      [...counts]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([kind, byStatus]) => {
          const statuses = [...byStatus].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
          return `  ${kind.padEnd(10)} ${String(sum(byStatus.values())).padStart(8)}   ${statuses.join(', ')}\n`
        })
        .join(''),
  }
}

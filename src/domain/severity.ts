/** The severities of incidents. Only `down` is a status of a check, and every incident has it until checks can warn. */
export const SEVERITIES = ['warning', 'down'] as const

export type Severity = (typeof SEVERITIES)[number]

/** Whether a limit, such as that of a silence, includes this severity. */
export function covers(limit: Severity, severity: Severity): boolean {
  return SEVERITIES.indexOf(limit) >= SEVERITIES.indexOf(severity)
}

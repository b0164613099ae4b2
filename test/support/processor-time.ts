/** The processor time of this process. It says whether work is cheap, however busy the machine is with other work. */

/** Milliseconds since the start of the process. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Processor time of this process. It measures the cost of work, however busy the machine is with other work. */

/** Returns milliseconds since the start of the process. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The HAProxy file of `deploy/two-instances`, adapted to this machine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/support/set-ups.ts'

const SHIPPED = join(ROOT, 'deploy/two-instances/haproxy.cfg')

/** @param ports of the instances */
export function balancerFile(front: number, ports: readonly (number | string)[]): string {
  const [text = ''] = readFileSync(SHIPPED, 'utf8').split("# Docker's own")
  const here = text.replace(':8000', `127.0.0.1:${front}`).replace(' resolvers docker', '')
  return ports.reduce<string>(
    (file, port, index) => file.replace(`overdue${index + 1}:8000`, `127.0.0.1:${port}`),
    here,
  )
}

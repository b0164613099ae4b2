/** The set-ups in `deploy/`: the commands that their READMEs tell a person to run, in the folder of the repository. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')
export const SET_UPS = readdirSync(join(ROOT, 'deploy'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'jobs')
  .map(({ name }) => name)

export function commandsOf(setUp: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'deploy', setUp, 'README.md'), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].flatMap(([, block = '']) => block.split('\n'))
}

import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { CURL_END, CURL_START } from '../../../src/domain/ping/curl.ts'

test('documents ping with the options that the program writes', async () => {
  const lines: string[] = []
  for (const path of ['README.md', ...new Glob('docs/*.md').scanSync('.')]) {
    lines.push(...((await Bun.file(path).text()).match(/curl [^`\n]*-f[^`\n]*/g) ?? []))
  }
  // The script is fetched, which is no ping.
  const commands = lines.flatMap((line) => line.split(/(?=curl )/)).filter((line) => !line.includes('/overdue-run'))
  expect(commands.length).toBeGreaterThan(4)
  expect(commands.filter((command) => ![CURL_START, CURL_END].some((one) => command.startsWith(`${one} `)))).toEqual([])
})

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { otherVersions, versionsIn } from '../../scripts/versions.ts'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const DOCKERFILE = `LABEL org.opencontainers.image.licenses="MIT" \\
      org.opencontainers.image.version="1.2.3"
`
const CHART = 'apiVersion: v2\nversion: 1.2.3\nappVersion: "1.2.3"\n'

test('the image and the chart have the version in package.json', () => {
  expect(otherVersions(version, versionsIn(read('Dockerfile'), read('deploy/kubernetes/Chart.yaml')))).toEqual([])
})

test('versions are read from the label and from both lines of the chart', () => {
  expect(Object.values(versionsIn(DOCKERFILE, CHART))).toEqual(['1.2.3', '1.2.3', '1.2.3'])
})

test('every place with another version or none is reported', () => {
  const said = otherVersions('1.3.0', versionsIn(DOCKERFILE, 'version: 1.3.0\n'))
  expect(said).toEqual([
    expect.stringMatching(/^the label .* in Dockerfile is 1\.2\.3, but package\.json has 1\.3\.0: set/),
    expect.stringMatching(/^appVersion in .*Chart\.yaml is missing, but package\.json has 1\.3\.0: set/),
  ])
})

test('an empty file has no version', () => {
  expect(Object.values(versionsIn('', ''))).toEqual([null, null, null])
})

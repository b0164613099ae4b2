/** Advice about made-up jobs: none for healthy jobs, and the right problem for the others. `test-slow/advice/` has more of them. */
import { describe, expect, test } from 'bun:test'
import { HEALTHY } from '../../support/jobs/healthy/all.ts'
import { ILL } from '../../support/jobs/ill/all.ts'
import { findingsOf, wrongsOf } from '../../support/jobs/judged.ts'

const SEED = 53
const HISTORIES = 2
const LATER_LOOKS = 6

describe('healthy', () => {
  test.each(HEALTHY.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
    expect([...wrongsOf(kind, SEED, HISTORIES, LATER_LOOKS)]).toEqual([])
  })
})

describe('ill', () => {
  test.each(ILL.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
    const findings = [...findingsOf(kind, SEED, HISTORIES, LATER_LOOKS).keys()].filter(
      (finding) => finding !== 'silent',
    )
    // Some kinds of problems show in few histories only, so two may show nothing.
    if (kind.found === undefined || findings.length > 0) expect(findings).toEqual(kind.found === 0 ? [] : ['found'])
  })
})

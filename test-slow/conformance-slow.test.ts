/** The recorded cases that wait for minutes until a check is late. */
import { join } from 'node:path'
import { readCases } from '../test/conformance/case.ts'
import { conformanceSuite } from '../test/conformance/suite.ts'

const recorded = join(import.meta.dir, '../test/conformance')
const waiting = readCases(join(recorded, 'cases')).filter((item) => item.slow === true)

conformanceSuite('slow conformance', [...waiting, ...readCases(join(recorded, 'slow'))], 600_000)

/** The doctor finds problems in the zone, schedule, period or grace time of made-up jobs. */
import { WRONG_GRACES } from '../../test/support/jobs/ill/graces.ts'
import { WRONG_RHYTHMS } from '../../test/support/jobs/ill/rhythms.ts'
import { WRONG_ZONES } from '../../test/support/jobs/ill/zones.ts'
import { testFound } from './support/found.ts'

testFound([...WRONG_ZONES, ...WRONG_RHYTHMS, ...WRONG_GRACES])

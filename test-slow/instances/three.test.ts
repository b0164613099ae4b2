/** Three instances on one PostgreSQL with many checks, one of which is killed again and again under load on all of them. */
import { testKills } from './support/kill-tests.ts'

testKills(3)

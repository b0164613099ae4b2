/**
 * Three instances on one PostgreSQL with many checks, one of which is killed again and again under load on all of them. Runs alone: beside
 * other suites an instance without processor time holds its locks for seconds, in which most pings and acts are rightly answered with 503.
 */
import { testKills } from './support/kill-tests.ts'

testKills(3)

/** The script of walls. It replaces that of all pages, because nobody types or clicks there. */
import '../times.ts'
import '../live/indicator.ts'
import '../live/numbers.ts'
import './clock.ts'
import './tv.ts'
import { onRefusal, onStream, reload } from '../live/stream.ts'

onStream('reload', reload)
onRefusal(reload)

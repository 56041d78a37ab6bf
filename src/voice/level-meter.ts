const lookMs = 100
/** Range from a room's noise to speech close to the microphone. Decibels of full scale. */
const quietestDb = -60
const loudestDb = -10

/** Watches until stopped; does not close the stream. `onLevel`: decibels scaled to 0-100. */
export function watchLevel(stream: MediaStream, onLevel: (level: number) => void): () => void {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: 4096 })
  context.createMediaStreamSource(stream).connect(analyser)
  void context.resume().catch(() => undefined)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    const db = power === 0 ? Number.NEGATIVE_INFINITY : 10 * Math.log10(power)
    onLevel(Math.round(Math.min(1, Math.max(0, (db - quietestDb) / (loudestDb - quietestDb))) * 100))
  }, lookMs)
  return () => {
    clearInterval(timer)
    void context.close().catch(() => undefined)
  }
}

/** The first news item of the sample, as far as all answers have the same of it. */
export const news = {
  id: 1,
  title: 'Meridian Cloud opens in Frankfurt and Singapore',
  content:
    '<p>Meridian Cloud is open to everyone from today. Our first product, <strong>Cloud Server</strong>, can be ordered in two regions: Frankfurt (fra1) and Singapore (sin1). Prices are public and the same for everybody: see <a href="https://www.example.com/prices">www.example.com/prices</a>.</p>',
  keywords: 'launch, cloud server, frankfurt, singapore, regions',
  create_time_formatted: '2024-11-04 09:00:00',
};

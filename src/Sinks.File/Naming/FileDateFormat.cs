using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>A date in a file name: digits of fixed width and fixed text, so that a name can be read back exactly.</summary>
/// <remarks>A subset of .NET's formats, and <c>ww</c> for the ISO week, which makes <c>yyyy</c> the ISO year.</remarks>
internal sealed class FileDateFormat
{
    private const string Allowed = "a date in a file name is made of yyyy, MM, dd, HH, mm, ss and ww; put other letters between '";

    private readonly List<Part> _parts = [];

    private FileDateFormat()
    {
    }

    public FileDateUnits Units { get; private set; }

    public static FileDateFormat Default(RollingInterval interval) => Parse(
        interval switch
        {
            RollingInterval.Year => "yyyy",
            RollingInterval.Month => "yyyy-MM",
            RollingInterval.Week => "yyyy-'W'ww",
            RollingInterval.Hour => "yyyy-MM-dd-HH",
            RollingInterval.Minute => "yyyy-MM-dd-HHmm",
            _ => "yyyy-MM-dd",
        },
        out _)!;

    /// <returns>Null with the rule that is broken.</returns>
    public static FileDateFormat? Parse(string format, out string? error)
    {
        var result = new FileDateFormat();
        error = null;
        for (int position = 0; position < format.Length && error is null;)
            position = result.AddPart(format, position, out error);
        if (error is null && result.Units == FileDateUnits.None)
            error = Allowed;
        return error is null ? result : null;
    }

    /// <summary>Whether two periods of the interval that follow each other always get different dates.</summary>
    public static bool Distinguishes(FileDateUnits units, RollingInterval interval)
    {
        FileDateUnits day = FileDateUnits.Year | FileDateUnits.Month | FileDateUnits.Day;
        return interval switch
        {
            RollingInterval.None => true,
            RollingInterval.Year => units.HasFlag(FileDateUnits.Year),
            RollingInterval.Month => units.HasFlag(FileDateUnits.Year | FileDateUnits.Month),
            RollingInterval.Week => units.HasFlag(day) || units.HasFlag(FileDateUnits.Year | FileDateUnits.Week),
            RollingInterval.Day => units.HasFlag(day),
            RollingInterval.Hour => units.HasFlag(day | FileDateUnits.Hour),
            _ => units.HasFlag(day | FileDateUnits.Hour | FileDateUnits.Minute),
        };
    }

    /// <summary>Whether later periods always get later dates: the year is there, and no unit without the next larger one.</summary>
    public static bool SortsByTime(FileDateUnits units)
    {
        bool Has(FileDateUnits unit) => units.HasFlag(unit);
        return Has(FileDateUnits.Year) && (Has(FileDateUnits.Month) || !Has(FileDateUnits.Day)) && (Has(FileDateUnits.Day) || !Has(FileDateUnits.Hour))
            && (Has(FileDateUnits.Hour) || !Has(FileDateUnits.Minute)) && (Has(FileDateUnits.Minute) || !Has(FileDateUnits.Second));
    }

    public void Append(StringBuilder text, DateTime date)
    {
        foreach (Part part in _parts)
        {
            if (part.Unit == FileDateUnits.None)
                text.Append(part.Text);
            else
                text.Append((ValueOf(part, date) % (part.Width == 2 ? 100 : 10_000)).ToString(part.Width == 2 ? "00" : "0000", CultureInfo.InvariantCulture));
        }
    }

    /// <summary>Reads a date at the beginning of a text.</summary>
    /// <returns>The characters read, or -1.</returns>
    public int Read(ReadOnlySpan<char> text, ref FileDateParts date)
    {
        int position = 0;
        foreach (Part part in _parts)
        {
            ReadOnlySpan<char> rest = text[position..];
            if (rest.Length < part.Width)
                return -1;
            ReadOnlySpan<char> own = rest[..part.Width];
            if (part.Unit == FileDateUnits.None)
            {
                if (!own.SequenceEqual(part.Text))
                    return -1;
            }
            else if (own.ContainsAnyExceptInRange('0', '9'))
            {
                return -1;
            }
            else
            {
                date.Set(part.Unit, part.Width, int.Parse(own, CultureInfo.InvariantCulture));
            }

            position += part.Width;
        }

        return position;
    }

    private int AddPart(string format, int position, out string? error)
    {
        error = null;
        char letter = format[position];
        if (letter is '\'' or '"')
        {
            int end = format.IndexOf(letter, position + 1);
            if (end < 0)
                error = Allowed;
            else if (end > position + 1)
                AddText(format[(position + 1)..end]);
            return end + 1;
        }

        int width = 1;
        while (position + width < format.Length && format[position + width] == letter)
            width++;
        FileDateUnits unit = UnitOf(letter, width);
        if (unit != FileDateUnits.None)
        {
            Units |= unit;
            _parts.Add(new Part(unit, width, ""));
        }
        else if (letter is 'w' or '%' or '\\' or '{' or '}' || "dfFghHKmMstyz".Contains(letter))
        {
            error = Allowed;
        }
        else
        {
            AddText(new string(letter, width));
        }

        return position + width;
    }

    private void AddText(string text) => _parts.Add(new Part(FileDateUnits.None, text.Length, text));

    private static FileDateUnits UnitOf(char letter, int width) => (letter, width) switch
    {
        ('y', 2 or 4) => FileDateUnits.Year,
        ('M', 2) => FileDateUnits.Month,
        ('w', 2) => FileDateUnits.Week,
        ('d', 2) => FileDateUnits.Day,
        ('H', 2) => FileDateUnits.Hour,
        ('m', 2) => FileDateUnits.Minute,
        ('s', 2) => FileDateUnits.Second,
        _ => FileDateUnits.None,
    };

    private int ValueOf(Part part, DateTime date) => part.Unit switch
    {
        FileDateUnits.Year => Units.HasFlag(FileDateUnits.Week) ? ISOWeek.GetYear(date) : date.Year,
        FileDateUnits.Month => date.Month,
        FileDateUnits.Week => ISOWeek.GetWeekOfYear(date),
        FileDateUnits.Day => date.Day,
        FileDateUnits.Hour => date.Hour,
        FileDateUnits.Minute => date.Minute,
        _ => date.Second,
    };

    private readonly record struct Part(FileDateUnits Unit, int Width, string Text);
}

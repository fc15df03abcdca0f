using System.Globalization;

namespace AsyncLog;

/// <summary>The numbers collected from a file name, until they make a date.</summary>
internal struct FileDateParts()
{
    private int _year = 1;
    private int _month = 1;
    private int _week;
    private int _day = 1;
    private int _hour;
    private int _minute;
    private int _second;

    public void Set(FileDateUnits unit, int width, int value)
    {
        switch (unit)
        {
            case FileDateUnits.Year: _year = width == 2 ? 2000 + value : value; break;
            case FileDateUnits.Month: _month = value; break;
            case FileDateUnits.Week: _week = value; break;
            case FileDateUnits.Day: _day = value; break;
            case FileDateUnits.Hour: _hour = value; break;
            case FileDateUnits.Minute: _minute = value; break;
            default: _second = value; break;
        }
    }

    public readonly bool TryGetDate(out DateTime date)
    {
        date = default;
        bool isTime = _hour < 24 && _minute < 60 && _second < 60;
        if (!isTime || _year is < 1 or > 9999 || _month is < 1 or > 12)
            return false;
        if (_week > 0)
        {
            // The last Monday of the calendar is in week 52 of 9999.
            if (_week > ISOWeek.GetWeeksInYear(_year))
                return false;
            date = ISOWeek.ToDateTime(_year, _week, DayOfWeek.Monday);
            return true;
        }

        if (_day < 1 || _day > DateTime.DaysInMonth(_year, _month))
            return false;
        date = new DateTime(_year, _month, _day, _hour, _minute, _second);
        return true;
    }
}

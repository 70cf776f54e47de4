@echo off
rem Installs GPT Studio for your user account, with the settings, texts and lesson of your class. Without installers on the
rem stick, only these are copied, and the program must be installed.
setlocal
set "here=%~dp0"
set "installer="
for %%f in ("%here%installers\gptstudio-*-windows-x86_64.exe") do set "installer=%%f"
set "program="
for /f "tokens=2*" %%a in ('reg query "HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\gptstudio" /v InstallLocation 2^>nul') do set "program=%%b"
if not exist "%here%installers\" if not defined program (
    echo GPT Studio is not installed on this computer, and this stick contains no installers. Nothing was copied. Ask your instructor.
    pause
    exit /b 1
)
if exist "%here%installers\" if not defined installer (
    echo There is no installer for Windows in %here%installers. Ask your instructor.
    pause
    exit /b 1
)
ver >nul
if exist "%here%class\" xcopy "%here%class" "%USERPROFILE%\gptstudio-class\" /E /I /Q /R /Y >nul
if errorlevel 1 (
    echo %USERPROFILE%\gptstudio-class cannot be written. Nothing was installed.
    pause
    exit /b 1
)
if not defined installer goto settings
echo Installing GPT Studio, which takes about half a minute ...
start "" /wait "%installer%" /S "/SETTINGS=%here%settings.toml"
if errorlevel 1 (
    echo GPT Studio could not be installed: exit code %errorlevel%. Start %installer% to see the reason.
    pause
    exit /b 1
)
echo GPT Studio is installed. It is in the Start menu.
pause
exit /b 0

:settings
copy /Y "%here%settings.toml" "%program%\settings.toml" >nul
if errorlevel 1 (
    echo The settings could not be written to %program%.
    pause
    exit /b 1
)
echo GPT Studio is ready. It is in the Start menu.
pause
